/** For numbers, dates and lists. */
export const LOCALE = 'en';

export const common = {
  product: 'Call Analytics',
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saved: 'Saved',
  copy: 'Copy',
  copied: 'Copied',
  never: 'Never',
  loading: 'Loading',
  failed: 'Could not load the data',
  unreachable: 'The server is not responding. It may be restarting, or your connection is down.',
  somethingBroke: 'Something went wrong',
  somethingBrokeWhy:
    'An error occurred in the application. Reload the page. If the error persists, describe what you did to your administrator.',
  reload: 'Reload page',
  newVersion: 'A new version is available',
  newVersionWhy: 'Reload the page to continue.',
  newVersionUploads: 'The page reloads when your uploads are complete. If you reload now, they stop.',
  pageWaits: 'This page opens when the server responds.',
  requestId: (id: string) => `Request ID: ${id}`,
  notFound: 'Page not found',
  notFoundWhy: 'The link may be outdated or mistyped.',
  toCalls: 'Go to calls',
};

export const shell = {
  skip: 'Skip to content',
  menu: 'Menu',
  navigation: 'Main',
  calls: 'Calls',
  overview: 'Overview',
  settings: 'Settings',
  docs: 'Docs',
  account: 'Your account',
  profile: 'Profile',
  signOut: 'Sign out',
  colorScheme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'System',
  gone: 'Connection lost. Reconnecting…',
  back: 'Connection restored.',
  notifications: 'Notifications',
};

/** For numbers, dates and lists. */
export const LOCALE = 'en';

export const common = {
  product: 'Call Analytics',
  retry: 'Try again',
  cancel: 'Cancel',
  done: 'Done',
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
    'An error occurred in the application. Reload the page. If the error persists, describe what you did to your ' +
    'administrator.',
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

export const session = {
  email: 'Email',
  password: 'Password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  newPassword: 'New password',
  passwordRule: (min: number) =>
    `At least ${min} characters. Several words in a row are easy to remember and hard to guess.`,
  yourName: 'Your name',
  accountName: 'Company or team',
  accountNameHint: 'Everyone you invite sees the calls of this account.',

  signIn: 'Sign in',
  signInTitle: 'Sign in',
  signInLead: 'Welcome back.',
  first: 'This is a new installation. The first user becomes its owner.',
  forgot: 'Forgot your password?',
  newHere: 'New here?',
  signUp: 'Sign up',

  signUpTitle: 'Create an account',
  signUpLead: 'Upload recordings of sales calls. See what was said, how it went and what to do next.',
  signUpFirst: 'This is a new installation. You are the first user and become its owner.',
  setupTitle: 'Set up this installation',
  setupLead:
    'There is no account yet. Open the setup link that the server printed at start, or create a new link with this ' +
    'command on the server:',
  confirmLead: 'Enter your email address. We send you a link to confirm it and create your account.',
  confirmSent: 'Check your email. The link works once and expires after 24 hours.',
  sendAgain: 'Send again',
  create: 'Create account',
  already: 'Already have an account?',
  closed: 'Sign-up is closed',
  closedWhy: 'New users need an invitation. Ask an owner of your account for a link.',
  toSignIn: 'Back to sign-in',

  forgotTitle: 'Reset your password',
  forgotLead: 'Enter your email address. We send you a link to choose a new password.',
  sendLink: 'Send link',
  sent: 'Check your email',
  sentWhy: (email: string) =>
    `If there is a user with the email ${email}, we have sent a link. It works once and expires after one hour.`,
  operator:
    'This installation does not send email. An administrator can create a reset link with this command on the server:',

  resetTitle: 'Choose a new password',
  resetLead: 'The link works once. You will be signed out on all devices, and the API keys you created are revoked.',
  resetDone: 'Password changed',
  resetDoneWhy: 'Sign in with your new password.',
  setPassword: 'Set password',

  joinTitle: (account: string) => `Join ${account}`,
  joinLead: (role: 'owner' | 'member', until: string) =>
    role === 'owner'
      ? 'You are invited as an owner. Owners see all calls, create API keys and manage members. ' +
        `The invitation expires on ${until}.`
      : `You are invited as a member. Members see all calls and create API keys. The invitation expires on ${until}.`,
  join: 'Join',
  signedInAs: (email: string) => `You are signed in as ${email}`,
  signedInAsWhy: 'This invitation is for a new user. Sign out to accept it, or go to your calls.',
  signOutFirst: 'Sign out',

  linkTitle: 'Signing you in',
  linkBad: 'This link does not work',
  linkIncomplete: 'The link is incomplete. Copy the whole link and open it again.',

  again: 'Sign in to continue',
  againWhy: 'Your session has ended. Sign in to continue where you left off. Nothing on this page is lost.',
  leave: 'Leave this page',
};

export const session = {
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  passwordRule: (min: number) => `At least ${min} characters. A few words in a row are easy to remember and hard to guess.`,
  yourName: 'Your name',
  accountName: 'Company or team',
  accountNameHint: 'Everybody you invite sees the calls of this account.',

  signIn: 'Sign in',
  signInTitle: 'Sign in',
  signInLead: 'Welcome back.',
  first: 'Nobody has signed up here yet: whoever does it first becomes the owner.',
  forgot: 'Forgot your password?',
  newHere: 'New here?',
  signUp: 'Sign up',

  signUpTitle: 'Create an account',
  signUpLead: 'Upload recordings of sales calls, and read what was said, how it went and what to do next.',
  signUpFirst: 'This is a fresh installation, and you are the first: you become its owner.',
  create: 'Create account',
  already: 'Already have an account?',
  closed: 'Sign-up is closed',
  closedWhy: 'New users need an invitation to this installation. Ask a colleague who is an owner to send you a link.',
  toSignIn: 'Back to sign-in',

  forgotTitle: 'Choose a new password',
  forgotLead: 'Tell us your email, and we send you a link.',
  sendLink: 'Send the link',
  sent: 'Look into your mail',
  sentWhy: (email: string) => `If there is a user ${email}, a link is on its way. It works once, for one hour.`,
  operator:
    'This installation sends no mail. Whoever runs it can make you a link to choose a new password, with this command on the server:',

  resetTitle: 'Choose a new password',
  resetLead: 'The link works once. Wherever you are signed in, you are signed out.',
  resetDone: 'Your password is changed',
  resetDoneWhy: 'Sign in with the new one.',
  setPassword: 'Set the new password',

  joinTitle: (account: string) => `Join ${account}`,
  joinLead: (role: 'owner' | 'member', until: string) =>
    role === 'owner'
      ? `You are invited as an owner: you see all calls, make keys and decide who belongs to the account. The invitation is good until ${until}.`
      : `You are invited as a member: you see all calls and make keys. The invitation is good until ${until}.`,
  join: 'Join',
  signedInAs: (email: string) => `You are signed in as ${email}`,
  signedInAsWhy: 'An invitation is for a new user. To use it here, sign out first; to stay who you are, go to your calls.',
  signOutFirst: 'Sign out',

  linkTitle: 'Signing you in',
  linkBad: 'This link does not work',
  linkIncomplete: 'The link is not complete: something was cut off. Copy all of it.',

  again: 'Sign in to go on',
  againWhy: 'Your session has ended. Nothing on this page is lost: sign in, and it goes on where it was.',
  leave: 'Leave this page',
};

export const session = {
  email: 'Email',
  password: 'Password',
  signIn: 'Sign in',
  signInTitle: 'Sign in',
  signInLead: 'Welcome back.',
  first: 'Nobody has signed up here yet: the first one to do so becomes the owner.',
  forgot: 'Forgot your password?',
  newHere: 'New here?',
  signUp: 'Sign up',
  again: 'Sign in to go on',
  againWhy: 'Your session has ended. Nothing on this page is lost: sign in, and it goes on where it was.',
  leave: 'Leave this page',
};

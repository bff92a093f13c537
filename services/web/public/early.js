// Runs before anything is painted and before the scripts of the page have arrived. A file of its own: the content security policy takes no
// script inside the page.
(() => {
  // The chosen colors, so that a page in dark colors does not begin with a white flash.
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const color = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('mantine-color-scheme-value');
    } catch {
      // No storage, no choice.
    }
    const isDark = chosen === 'dark' || (chosen !== 'light' && prefersDark.matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  };
  color();
  prefersDark.addEventListener('change', color);

  // What the page will ask first is asked now. `src/app/api/early.ts` takes the answers.
  const early = {};
  const ask = (path) => {
    early[path] = fetch(path, { headers: { Accept: 'application/json' } });
    early[path].catch(() => {});
    return early[path];
  };
  window.early = early;
  const { pathname, search, hash } = location;
  const path = pathname.replace(/\/+$/, '');
  if (path === '/sign-in' || path === '/sign-up') {
    ask('/app/session');
    ask('/app/installation');
  } else if (path === '' || /^\/(calls|overview|settings)(\/|$)/.test(path)) {
    const leave = ({ status }) => {
      if (status === 401) location.replace(`/sign-in?next=${encodeURIComponent((path || '/calls') + search + hash)}`);
    };
    ask('/app/session').then(leave, () => {});
    // As `searchOf` in `src/app/calls/address.ts` asks for the list as it opens.
    if ((path === '' || path === '/calls') && search === '')
      ask('/app/calls?sort=createdAt&order=desc&limit=25&offset=0');
    const call = /^\/calls\/([^/]+)$/.exec(path);
    if (call) ask(`/api/v1/calls/${call[1]}`);
  }
})();

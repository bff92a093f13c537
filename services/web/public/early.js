// Runs before the first paint and before the scripts of the page arrive. A separate file, because the content security
// policy allows no inline script.
(() => {
  // Sets the chosen colors, so that a dark page does not begin with a white flash.
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const color = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('mantine-color-scheme-value');
    } catch {
      // Without storage there is no choice.
    }
    const isDark = chosen === 'dark' || (chosen !== 'light' && prefersDark.matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  };
  color();
  prefersDark.addEventListener('change', color);

  // Sends the first requests of the page now. `src/app/api/client.ts` takes the responses.
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
    // The same query as `searchOf` in `src/app/calls/address.ts` for the default view.
    if ((path === '' || path === '/calls') && search === '')
      ask('/app/calls?sort=createdAt&order=desc&limit=25&offset=0');
    const call = /^\/calls\/([^/]+)$/.exec(path);
    if (call) ask(`/api/v1/calls/${call[1]}`);
  }
})();

export const STYLE = `
:root { --text: #1c2430; --soft: #5b6675; --line: #dde2e9; --back: #ffffff; --shade: #f5f7fa; --accent: #0b62c4; --get: #1a7f4b; --post: #a05a00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dde4ee; --soft: #94a1b3; --line: #2c3644; --back: #12171e; --shade: #1a212b; --accent: #6cb2ff; --get: #58c98b; --post: #e5a657; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; display: flex; color: var(--text); background: var(--back); font: 16px/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 0; align-self: flex-start; width: 15rem; height: 100vh; overflow-y: auto; padding: 1.5rem; border-right: 1px solid var(--line); background: var(--shade); flex: none; }
nav strong { display: block; margin-bottom: .75rem; }
nav span { display: block; margin: 1rem 0 .25rem; color: var(--soft); font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; }
nav a { display: block; padding: .15rem 0; color: inherit; text-decoration: none; }
nav a:hover, a { color: var(--accent); }
main { flex: 1; min-width: 0; max-width: 60rem; padding: 1.5rem 2.5rem 6rem; }
h1 { font-size: 1.8rem; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 2rem 0 .25rem; }
code { font: .875em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; background: var(--shade); border-radius: 4px; padding: .1em .3em; }
pre { overflow-x: auto; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--shade); }
pre code { padding: 0; background: none; }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-size: .8rem; font-weight: 600; }
tr:target { background: var(--shade); }
i { color: var(--soft); font-size: .85em; }
.route b { padding: .15rem .5rem; border-radius: 4px; color: var(--back); font-size: .8rem; }
.GET { background: var(--get); }
.POST { background: var(--post); }
summary { cursor: pointer; color: var(--soft); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; width: auto; height: auto; border-right: 0; } main { padding: 1rem; } }
`;

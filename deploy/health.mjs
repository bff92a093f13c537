// What the container's HEALTHCHECK asks: can this process work?
const answer = await fetch(`http://127.0.0.1:${process.env.OPS_PORT || 9090}/readyz`, { signal: AbortSignal.timeout(4_000) }).catch(
  (error) => ({
    ok: false,
    text: async () => `${error.cause ?? error}`,
  }),
);
if (!answer.ok) {
  process.stdout.write(await answer.text());
  process.exit(1);
}

/** Ends with 0 if the room of this container is ready: the health check of every service in docker-compose.yml. */
const PATIENCE_MS = 3_000

try {
  const asked = fetch(`http://127.0.0.1:${process.env['HEALTH_PORT']}/readyz`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  process.exit((await asked).ok ? 0 : 1)
} catch {
  process.exit(1)
}

/** Ends with 0 if the room of this container is ready: the health check of every service in docker-compose.yml. */
import { ownAddress } from '#infra/settings/own-address'

const PATIENCE_MS = 3_000

try {
  const { HEALTH_HOST = '', HEALTH_PORT } = process.env
  const asked = fetch(`http://${ownAddress(HEALTH_HOST)}:${HEALTH_PORT}/readyz`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  process.exit((await asked).ok ? 0 : 1)
} catch {
  process.exit(1)
}

/** Whether this process is ready, for balancers and container engines: HEALTH_PORT, the same in every room. */
import { createServer } from 'node:http'
import type { Env } from './env.ts'

type Health = { ready: boolean }

/**
 * `/healthz` answers while the process does; `/readyz` with 200 from the moment that the room is ready until it is told
 * to stop, otherwise with 503. @throws EADDRINUSE
 */
export async function openHealth(env: Pick<Env, 'HEALTH_PORT' | 'HEALTH_HOST'>): Promise<Health> {
  const health: Health = { ready: false }
  if (env.HEALTH_PORT === 0) return health
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    if (request.url === '/healthz') response.end('ok\n')
    else if (request.url === '/readyz')
      response.writeHead(health.ready ? 200 : 503).end(health.ready ? 'ready\n' : 'not ready\n')
    else response.writeHead(404).end()
  })
  await new Promise<void>((done, fail) => {
    server.once('error', (error) => fail(Object.assign(error, { port: env.HEALTH_PORT })))
    server.listen(env.HEALTH_PORT, env.HEALTH_HOST, done)
  })
  // It must not keep a process alive that could not start.
  server.unref()
  return health
}

import { createServer } from 'node:net'
import type { Env } from '#infra/env'

/** What the rooms open for others. With an external broker, 1883 of this machine is probably that broker. */
function opened(env: Env): (readonly [host: string, port: number])[] {
  return [
    [env.HTTP_HOST, env.HTTP_PORT],
    ...(env.BROKER === 'builtin'
      ? ([
          [env.MQTT_HOST, env.MQTT_PORT],
          [env.MQTT_HOST, env.MQTTS_PORT],
        ] as const)
      : []),
    [env.SSH_HOST, env.SSH_PORT],
    ...(env.REMOTE_URL === null ? [] : ([[env.HTTP_HOST, env.REMOTE_WEB_PORT]] as const)),
  ]
}

/** Checks that the ports are free before anything is started. @throws EADDRINUSE or EACCES with the port. */
export async function probePorts(env: Env): Promise<void> {
  for (const [host, port] of opened(env))
    await new Promise<void>((done, fail) => {
      const probe = createServer().once('error', (error) => fail(Object.assign(error, { port })))
      probe.listen(port, host, () => probe.close(() => done()))
    })
}

import { createServer, type Server } from 'node:net'
import { type Env, SettingError } from '#infra/env'

type Opened = readonly [setting: string, host: string, port: number]

/** What the rooms open for others. With an external broker, 1883 of this machine is probably that broker. */
function opened(env: Env): readonly Opened[] {
  return [
    ['HTTP_PORT', env.HTTP_HOST, env.HTTP_PORT],
    ...(env.BROKER === 'builtin'
      ? ([
          ['MQTT_PORT', env.MQTT_HOST, env.MQTT_PORT],
          ['MQTTS_PORT', env.MQTT_HOST, env.MQTTS_PORT],
        ] as const)
      : []),
    ['SSH_PORT', env.SSH_HOST, env.SSH_PORT],
    ...(env.REMOTE_URL === null ? [] : ([['REMOTE_WEB_PORT', env.HTTP_HOST, env.REMOTE_WEB_PORT]] as const)),
  ]
}

const listen = (host: string, port: number) =>
  new Promise<Server>((done, fail) => {
    const probe = createServer().once('error', (error) => fail(Object.assign(error, { port })))
    probe.listen(port, host, () => done(probe))
  })

/**
 * Checks that the ports are free before anything is started. They are all held until the last one is checked, so that
 * a number given to two settings is found, too. @throws EADDRINUSE or EACCES with the port, SettingError
 */
export async function probePorts(env: Env): Promise<void> {
  const held: { setting: string; port: number; probe: Server }[] = []
  try {
    for (const [setting, host, port] of opened(env)) {
      const probe = await listen(host, port).catch((error: NodeJS.ErrnoException) => {
        const own = error.code === 'EADDRINUSE' && held.find((other) => other.port === port)
        if (own) throw new SettingError(`${setting}: ${port} is ${own.setting} already, set another one`)
        throw error
      })
      held.push({ setting, port, probe })
    }
  } finally {
    await Promise.all(held.map(({ probe }) => new Promise((done) => probe.close(done))))
  }
}

/** deploy/haproxy.cfg for one machine: names of the compose network become ports, everything else stays as written. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#infra/embedded-postgres'
import { root } from '../tracked-files.ts'

type Ports = Readonly<Record<string, string>>
const settingOf: Readonly<Record<string, string>> = {
  1883: 'MQTT_PORT',
  8883: 'MQTTS_PORT',
  8080: 'HTTP_PORT',
  8081: 'REMOTE_WEB_PORT',
  2222: 'SSH_PORT',
}

/** Writes the file into `dir`. The balancer connects from 127.0.0.2, so that it is not taken for a room. */
export async function balancerFor(dir: string, brokers: readonly Ports[], apis: readonly Ports[]) {
  const rooms: Readonly<Record<string, readonly Ports[]>> = {
    broker: brokers,
    api: apis,
    remote: apis.slice(0, 1),
  }
  const ports = new Map<string, number>()
  for (const port of Object.keys(settingOf)) ports.set(port, await freePort())
  const text = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
    .replace(/^resolvers[\s\S]*?\n\n/m, '')
    .replace(' resolvers docker init-addr none', '')
    .replace(/bind :(\d+)/g, (_, port: string) => `bind 127.0.0.1:${ports.get(port)}`)
    .replace(/ *server-template (\w+) \d+ \w+:(\d+)(.*)/g, (_, room: string, port: string, more: string) =>
      (rooms[room] ?? [])
        .map((own, i) => {
          const address = `127.0.0.1:${own[settingOf[port] ?? '']}`
          return `    server ${room}${i + 1} ${address} source 127.0.0.2 check port ${own['HEALTH_PORT']}${more}`
        })
        .join('\n'),
    )
    .replace(/maxconn 200000/, 'maxconn 5000')
  const file = join(dir, 'haproxy.cfg')
  writeFileSync(file, text)
  return { file, http: ports.get('8080') ?? 0, mqtt: ports.get('1883') ?? 0, mqtts: ports.get('8883') ?? 0 }
}

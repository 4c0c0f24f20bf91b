/** What a status message takes from the configuration and from who is there. */
import type { Base } from '../base.ts'
import { accessPoints, lanOf } from '../config/lan.ts'
import { lanNet, uplinkOf } from '../config/site.ts'
import type { Identity } from '../fleet.ts'
import { presentAt } from '../hosts.ts'

export type Situation = {
  /** Of the uplink in use; undefined: it has none. */
  readonly ip: string | undefined
  readonly lanIp: string
  readonly clients: number
}

export function situationOf(part: Pick<Base, 'identity' | 'world' | 'config' | 'uplink' | 'now'>): Situation {
  const { config, identity, world, uplink } = part
  const wifi = accessPoints(config.doc).some(({ on }) => on)
  return {
    ip: uplink.problem === null ? uplink.ip : undefined,
    lanIp: lanOf(config.doc).ip,
    clients: presentAt(identity, world.seed, part.now(), wifi).length,
  }
}

/** That of a device whose configuration is unchanged since it was installed. */
export function usualSituation(identity: Identity, seed: number): (atMs: number) => Situation {
  const { ip } = uplinkOf(identity)
  const lanIp = `${lanNet({ identity, seed, configured: true })}.1`
  return (atMs) => ({ ip, lanIp, clients: presentAt(identity, seed, atMs, true).length })
}

import { openTunnel } from '#schema/remote/open-tunnel'
import { obeys } from '../command.ts'
import { digTunnel } from '../remote/tunnel.ts'

export const obeyOpenTunnel = obeys(openTunnel, async (part, args) => {
  await part.network()
  await digTunnel(part, args)
  part.note('notice', 'ssh', `tunnel to ${args.targetHost}:${args.targetPort} opened`)
  return {}
})

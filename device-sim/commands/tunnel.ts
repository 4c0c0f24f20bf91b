import { openTunnel } from '#schema/remote/open-tunnel'
import { obeys } from '../command.ts'
import { digWithProgram } from '../remote/ssh-program.ts'
import { digTunnel } from '../remote/tunnel.ts'

export const obeyOpenTunnel = obeys(openTunnel, async (part, args) => {
  await part.network()
  const { ssh } = part.world
  await (ssh === undefined ? digTunnel(part, args) : digWithProgram(part, ssh, args))
  part.note('notice', 'ssh', `tunnel to ${args.targetHost}:${args.targetPort} opened`)
  return {}
})

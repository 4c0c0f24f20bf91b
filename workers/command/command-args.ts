/** Arguments that are added when a command is sent: links are created then and never stored. */
import { hostKeyLine, tunnelPassword } from '#infra/remote-key'
import { downloadPassword, unseal, uploadSignature } from '#infra/secrets'
import { BACKUP_LINK_MS, BACKUP_MAX_BYTES } from '#schema/device/backup'
import { uploadBackup } from '#schema/device/commands/backup'
import { scheduledReboot } from '#schema/device/commands/schedule'
import { BEGIN_WITHIN_MS } from '#schema/device/schedule'
import { splitHostPort } from '#schema/platform/host-port'
import { setPortal } from '#schema/portal/set-portal'
import { CREDENTIAL_MS, openTunnel } from '#schema/remote/open-tunnel'
import type { WorkerContext } from '../kit/processor.ts'
import { withLinks } from '../portal/portal-document.ts'

export type CommandRow = {
  id: string
  sn: string
  name: string
  args: Record<string, unknown>
  deadlineAt: Date
}
type OnWire = { args: Record<string, unknown>; deadlineAt: number }
type ArgumentsAtSending = (ctx: Pick<WorkerContext, 'env' | 'now'>, row: CommandRow) => OnWire

/** Arguments with passwords and keys are stored encrypted (api/command/sealed-args.ts). */
const unsealed: ArgumentsAtSending = ({ env }, { args, deadlineAt }) => ({
  args: JSON.parse(unseal(String(args['sealed']), env.JWT_SECRET)),
  deadlineAt: deadlineAt.getTime(),
})

const argumentsAtSending: Readonly<Record<string, ArgumentsAtSending>> = {
  [uploadBackup.name]: ({ env, now }, { args, sn, deadlineAt }) => {
    const backupId = String(args['backupId'])
    const expiresAt = now().getTime() + BACKUP_LINK_MS
    const sig = uploadSignature(env.JWT_SECRET, backupId, sn, expiresAt)
    return {
      args: {
        backupId,
        url: `${env.PUBLIC_URL}/files/backup/${backupId}?expires=${expiresAt}&sig=${sig}`,
        username: sn,
        password: downloadPassword(env.JWT_SECRET, backupId),
        expiresAt,
        maxBytes: BACKUP_MAX_BYTES,
      },
      deadlineAt: deadlineAt.getTime(),
    }
  },
  [setPortal.name]: ({ env, now }, { args, sn, deadlineAt }) => ({
    args: withLinks(env, now().getTime(), sn, args),
    deadlineAt: deadlineAt.getTime(),
  }),
  [openTunnel.name]: ({ env, now }, { id: commandId, args, sn, deadlineAt }) => {
    const expiresAt = now().getTime() + CREDENTIAL_MS
    const sessionId = String(args['sessionId'])
    return {
      args: {
        ...args,
        ...splitHostPort(env.SSH_ADDRESS),
        username: sn,
        password: tunnelPassword(env.JWT_SECRET, { sessionId, commandId, sn, expiresAt }),
        hostKey: hostKeyLine(env.JWT_SECRET),
        expiresAt,
      },
      deadlineAt: deadlineAt.getTime(),
    }
  },
  // The reply may come late, but the reboot must not begin late: by then the device reboots by itself.
  [scheduledReboot.name]: (_, { args, deadlineAt }) => ({
    args,
    deadlineAt: Math.min(deadlineAt.getTime(), Number(args['dueAt']) + BEGIN_WITHIN_MS),
  }),
}

/** The payload of the message `command` for a stored command. */
export function commandPayload(ctx: Pick<WorkerContext, 'env' | 'now'>, row: CommandRow) {
  const { id, name } = row
  if ('sealed' in row.args) return { id, name, ...unsealed(ctx, row) }
  const plain = { args: row.args, deadlineAt: row.deadlineAt.getTime() }
  return { id, name, ...(argumentsAtSending[name]?.(ctx, row) ?? plain) }
}

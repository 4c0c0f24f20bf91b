import { command, inquire } from '#schema/command/command'
import { commandPayload } from '../command/command-args.ts'
import { carrier } from './carry.ts'

/** A declared command under the item's id: a device never carries out a known id again. */
export const carryCommand = carrier({
  by: 'command',
  send: (ctx, row) => ({
    sn: row.sn,
    message: command,
    payload: commandPayload(ctx, { ...row, name: row.command ?? '', args: row.args ?? {} }),
  }),
  ask: ({ id, sn }) => ({ sn, message: inquire, payload: { id } }),
  callBack: null,
})

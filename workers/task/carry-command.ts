import { command, inquire } from '#schema/command/command'
import { commandPayload } from '../command/command-args.ts'
import { carrier } from './carry.ts'

/** Sends a declared command with the item's id: a device never runs a known id again. */
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

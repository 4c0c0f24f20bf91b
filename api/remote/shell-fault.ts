import type { TerminalFault } from '#schema/remote/terminal-frame'

/** Why there is no shell, as the user is told. */
export class ShellFault extends Error {
  readonly why: TerminalFault
  constructor(why: TerminalFault) {
    super(why)
    this.why = why
  }
}

import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { type Command, Redis } from 'ioredis'
import { isReplica } from '#infra/queue/backend'
import type { Outage } from '#infra/queue/outage'

const QUIT_MS = 1_000
/** A Redis that answers nothing for this long is unavailable: its host has frozen or lost its network, which ends no connection. */
const SILENT_MS = 10_000

/**
 * A connection that can be closed while others still use it: pending commands are completed, and later ones
 * stay pending forever. The session package issues commands without awaiting them and closes the connection
 * meanwhile; each such command would cause an unhandled rejection.
 */
export class Line extends Redis {
  private leaving = false
  private readonly outage: Outage
  private readonly silentMs: number
  constructor(url: string, outage: Outage, silentMs = SILENT_MS) {
    // Subscribers subscribe again after a reconnect themselves: autoResubscribe would do it at an unknown time.
    super(url, {
      maxRetriesPerRequest: null,
      autoResubscribe: false,
      // 2: and repeats the command.
      reconnectOnError: (error) => isReplica(error) && 2,
    })
    this.outage = outage
    this.on('error', outage.failed)
    this.on('ready', outage.works)
    this.silentMs = silentMs
    this.on('ready', () => void this.attend(this.stream as Socket))
  }
  /** Asks for a sign of life, and gives up the connection that carries none: what was asked is asked again on the next one. */
  private async attend(carries: Socket): Promise<void> {
    while (this.stream === carries && this.open) {
      // The answer itself may be late where thousands of others come before it.
      const before = carries.bytesRead
      this.ping().catch(() => undefined)
      await sleep(this.silentMs, null, { ref: false })
      // This process may itself have been held up: what has come meanwhile is read first.
      await turn()
      if (carries.bytesRead > before || this.stream !== carries || !this.open) continue
      this.outage.failed(new Error(`Redis has not answered for ${this.silentMs / 1000} s`))
      super.disconnect(true)
      return
    }
  }
  /** Whether Redis is connected; otherwise commands wait until it is back. */
  get open(): boolean {
    return this.status === 'ready'
  }
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    if (this.leaving && (command as Command).name !== 'quit') return new Promise(() => undefined)
    return super.sendCommand(command, stream)
  }
  override async quit(): Promise<'OK'> {
    this.leaving = true
    const bye = super.quit().catch(this.outage.failed)
    await Promise.race([bye, sleep(QUIT_MS)])
    super.disconnect()
    return 'OK'
  }
  /**
   * The session package disconnects when Aedes closes; we disconnect later, when all commands are completed.
   */
  override disconnect(reconnect = false): void {
    if (reconnect || this.leaving) super.disconnect(reconnect)
  }
}

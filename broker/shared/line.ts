import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Redis } from 'ioredis'
import { isReplica } from '#infra/queue/backend'
import type { Outage } from '#infra/queue/outage'

const QUIT_MS = 1_000

/**
 * A connection that can be closed while others still use it: pending commands are completed, and later ones
 * stay pending forever. The session package issues commands without awaiting them and closes the connection
 * meanwhile; each such command would cause an unhandled rejection.
 */
export class Line extends Redis {
  private leaving = false
  private readonly outage: Outage
  constructor(url: string, outage: Outage) {
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

/** Redis must refuse writes when it is full: one that evicts keys would silently lose sessions and jobs. */
import type { Redis } from 'ioredis'
import { SettingError } from '#infra/env'
import type { Log } from '#infra/log'

/** @throws SettingError if Redis evicts keys when its memory is full */
export async function checkMemory(redis: Pick<Redis, 'info'>, log: Pick<Log, 'warn'>): Promise<void> {
  const info = await redis.info('memory')
  const of = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const policy = of('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction')
    throw new SettingError(
      `REDIS_URL: Redis has maxmemory-policy ${policy}, which loses sessions of devices when its memory is full: set noeviction`,
    )
  if (of('maxmemory') === '0')
    log.warn('Redis has no maxmemory: set one, so that it is refused memory before the machine has none')
}

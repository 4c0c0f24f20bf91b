import postgres, { type Fragment } from 'postgres'
import type { Transaction } from './processor.ts'

/**
 * Takes an advisory lock until the transaction ends, and waits for it five seconds at most. Returns whether it was taken.
 * Others who wait get it in the order in which they came: even one that hardly ever is free is got.
 */
export async function lockSoon(tx: Transaction, key: Fragment): Promise<boolean> {
  const [lock] = await tx<{ got: boolean }[]>`select pg_try_advisory_xact_lock(${key}) as got`
  if (lock?.got) return true
  try {
    await tx.savepoint(async (inner) => {
      await inner`set local lock_timeout = '5s'`
      await inner`select pg_advisory_xact_lock(${key})`
      await inner`set local lock_timeout to default`
    })
    return true
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === '55P03') return false
    throw error
  }
}

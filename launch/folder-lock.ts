/** The lock by which one `npm start` keeps others from its DATA_DIR. */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#infra/env'

/**
 * What tells a process from a later one with the same number: a number is given again after a restart of the machine,
 * or of a container. Null if there is no such process; empty where the system does not tell.
 */
function markOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The name, in brackets, may contain anything; the time of the start is the twentieth field after it.
    const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
    return `${boot} ${after.split(' ')[19]}`
  } catch {
    return ''
  }
}

/** The process that holds the lock; null for a lock that was left behind, also one that a full disk cut off. */
function holderOf(file: string): number | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return null
  }
  const [pid, mark] = text.split('\n')
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0 || number === process.pid) return null
  const now = markOf(number)
  return now !== null && (now === '' || now === mark) ? number : null
}

/** Takes the folder before anything in it is touched; returns how it is given back. @throws SettingError */
export function takeFolder(dataDir: string): () => void {
  const file = join(dataDir, 'launch.pid')
  const own = `${file}.${process.pid}`
  try {
    writeFileSync(own, `${process.pid}\n${markOf(process.pid) ?? ''}\n`)
    for (let tries = 0; !linked(own, file); tries++) {
      const holder = holderOf(file)
      if (holder !== null || tries > 0)
        throw new SettingError(
          `DATA_DIR ${dataDir} is in use by ${holder === null ? 'another start' : `process ${holder}`}: stop it or set another DATA_DIR`,
        )
      rmSync(file, { force: true })
    }
  } catch (error) {
    if (error instanceof SettingError) throw error
    throw new SettingError(
      `DATA_DIR ${dataDir} cannot be locked (${(error as NodeJS.ErrnoException).code}): free its disk or set another DATA_DIR`,
    )
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(file, { force: true })
}

/** Puts a complete lock in place, unless there is one. */
function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

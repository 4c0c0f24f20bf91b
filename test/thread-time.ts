/**
 * Milliseconds of processor time that this thread has used. A limit on it finds work that grows too fast, and does not depend
 * on what else the machine does.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

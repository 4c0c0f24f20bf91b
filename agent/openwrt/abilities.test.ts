/** What the agent says that a router has: files and programs that are there, and nothing else. */
import { afterAll, describe, expect, it } from 'vitest'
import { missingTools, Router } from '#test/openwrt/router'

if (missingTools.length > 0)
  console.warn(`SKIPPED: abilities of a router, because ${missingTools.join(', ')} is not installed`)

describe.skipIf(missingTools.length > 0)('the abilities of a router', () => {
  const router =
    missingTools.length > 0 ? null : new Router({ host: '127.0.0.1', port: '1', serial: 'OWRT-2', key: '' })
  afterAll(() => router?.close())
  /** What `hello` would say. */
  const said = (): { abilities: string[]; features: string[] } => {
    const text = router?.ask(['keys', 'status'], 'echo "$FEATURES"; abilities') ?? ''
    const [features = '', ...abilities] = text.trim().split('\n')
    return { abilities, features: features.split(' ') }
  }

  it('include serial ports of any kind, but not the console alone', () => {
    expect(said().abilities).not.toContain('serial')
    router?.write('dev/ttyS0', '')
    expect(said().abilities).not.toContain('serial')
    for (const port of ['ttyUSB0', 'ttyACM1', 'ttyS1', 'ttyS10']) {
      router?.write(`dev/${port}`, '')
      expect(said().abilities, port).toContain('serial')
      router?.remove(`dev/${port}`)
    }
  })

  it('are those of no gateway', () => {
    for (const feature of ['collection', 'interfaces', 'readRegisters', 'writeVariable'])
      expect(said().features).not.toContain(feature)
  })
})

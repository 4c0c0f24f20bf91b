import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readBackup } from './backup-contents.ts'

it('closes the file of a backup that was damaged since', async () => {
  let closed = false
  async function* damaged() {
    try {
      for (let i = 0; i < 64; i++) yield Buffer.alloc(65_536, 'x')
    } finally {
      closed = true
    }
  }
  const stream = Readable.from(damaged(), { objectMode: false })
  await expect(readBackup(stream)).rejects.toThrow('incorrect header check')
  await expect.poll(() => closed).toBe(true)
})

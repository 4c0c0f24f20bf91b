/** Archives of settings, and stored configuration files, for tests. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import type { TestContext } from './harness.ts'

export type Entry = Partial<Header> & { name: string; content?: string }

export async function packEntries(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack()
  for (const { content, ...header } of entries) tar.entry(header, content ?? '')
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** Text files by path. */
export const configArchive = (files: Readonly<Record<string, string>>): Promise<Buffer> =>
  packEntries(Object.entries(files).map(([name, content]) => ({ name, content })))

export async function addConfigFile(
  { sql, files }: Pick<TestContext, 'sql' | 'files'>,
  of: { customerId: number; name: string; content: Buffer },
): Promise<{ id: number; fileKey: string; sha256: string }> {
  const file = files.create()
  await new Promise<void>((done, fail) => file.stream.end(of.content, () => done()).once('error', fail))
  await file.keep()
  const hash = (algorithm: string) => createHash(algorithm).update(of.content).digest('hex')
  const sha256 = hash('sha256')
  const [row] = await sql<{ id: number }[]>`
    insert into config_files (customer_id, name, size_bytes, sha256, md5, file_key)
    values (${of.customerId}, ${of.name}, ${of.content.length}, ${sha256}, ${hash('md5')}, ${file.key}) returning id`
  return { id: row?.id ?? 0, fileKey: file.key, sha256 }
}

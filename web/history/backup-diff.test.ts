import { expect, it } from 'vitest'
import { compareFiles } from './backup-diff.ts'

const file = (path: string, text: string | null, sha256 = `${text}`) => ({
  path,
  text,
  sha256,
  sizeBytes: text?.length ?? 0,
})

it('shows changed, added and removed files, and leaves out equal ones', () => {
  const found = compareFiles(
    [file('a', 'same'), file('b', 'one\ntwo\n'), file('c', 'gone\n')],
    [file('a', 'same'), file('b', 'one\n2\n'), file('d', 'new\n')],
  )
  expect(found.map(({ path, change }) => `${change} ${path}`)).toEqual(['changed b', 'removed c', 'added d'])
  expect(found[0]?.lines?.map(({ text }) => text)).toEqual(['@@ -1,2 +1,2 @@', ' one', '-two', '+2'])
})

it('reports how a binary file differs without showing it', () => {
  const found = compareFiles([file('k', null, 'x')], [{ ...file('k', null, 'y'), sizeBytes: 7 }])
  const [before, after] = [
    { sizeBytes: 0, sha256: 'x' },
    { sizeBytes: 7, sha256: 'y' },
  ]
  expect(found).toEqual([{ path: 'k', change: 'changed', lines: null, before, after }])
})

it('gives up on two large files without anything in common', () => {
  const noise = (seed: number) => Array.from({ length: 9000 }, (_, i) => String((i * seed) % 7919)).join('\n')
  expect(compareFiles([file('n', noise(31))], [file('n', noise(37))])[0]?.lines).toBeNull()
})

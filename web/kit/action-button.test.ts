import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const BUTTON = /<(Button|ActionIcon|CloseButton|UnstyledButton|Menu\.Item)\b/g

/** The attributes of the element that begins at `from`, without their contents in braces. */
function attributes(text: string, from: number): string {
  let depth = 0
  let found = ''
  for (const letter of text.slice(from)) {
    if (letter === '{') depth += 1
    else if (letter === '}') depth -= 1
    else if (depth === 0 && letter === '>') return found
    else if (depth === 0) found += letter
  }
  return found
}

const silent = (text: string) =>
  [...text.matchAll(BUTTON)].filter(({ index }) => /\sdisabled\b/.test(attributes(text, index)))

it('no button of the console is disabled without a reason that it shows: kit/action-button.tsx has one', () => {
  const web = fileURLToPath(new URL('../', import.meta.url))
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => silent(readFileSync(`${web}${file}`, 'utf8')).length > 0)).toEqual([])
})

it('such a button is found', () => {
  expect(silent('<Button onClick={() => run()} disabled={!ready}>Run</Button>')).toHaveLength(1)
  expect(silent('<Button onClick={() => ({ disabled: true })}>Run</Button>')).toEqual([])
})

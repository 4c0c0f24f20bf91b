import { expect, it } from 'vitest'
import { partsOf } from './mail-text.tsx'

it('only links into this console are clickable', () => {
  const text =
    'Hello,\n\nhttps://iot.example/confirm-email#abc_-1\n\nDevice https://iot.example.evil/x and javascript:alert(1)'
  expect(partsOf(text, 'https://iot.example')).toEqual([
    { text: 'Hello,\n\n', link: false },
    { text: 'https://iot.example/confirm-email#abc_-1', link: true },
    { text: '\n\nDevice https://iot.example.evil/x and javascript:alert(1)', link: false },
  ])
})

import { expect, it } from 'vitest'
import { printText } from './print.ts'

it('a text controls no terminal, and reaches a file as it is', () => {
  const text = "config system\n\toption hostname '\u001b]0;owned\u0007\u009b2J'\n"
  const printed = (isTTY: boolean) => {
    let said = ''
    printText(text, {
      isTTY,
      write: (part: string) => {
        said += part
        return true
      },
    } as NodeJS.WriteStream)
    return said
  }
  expect(printed(false)).toBe(text)
  expect(printed(true)).toBe("config system\n\toption hostname '\ufffd]0;owned\ufffd\ufffd2J'\n")
})

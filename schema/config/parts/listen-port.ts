/** The port in a list of addresses to listen at: `0.0.0.0:80`, `[::]:80`, `80`. */
import { type Bound, saidBy, sectionOf, type Text, type Where } from '../bind.ts'
import type { UciDoc } from '../uci.ts'

const itemsOf = (found: Text | undefined): readonly string[] =>
  found === undefined ? [] : typeof found === 'string' ? found.split(/\s+/).filter(Boolean) : found
const PORT = /(^|:)(\d{1,5})$/

/** null: it does not listen. A changed port keeps the addresses; those with other ports stay as they are. */
export function listenPort(doc: UciDoc, where: Where, option: string): Bound {
  const items = itemsOf(saidBy(sectionOf(doc, where), option))
  const former = items.map((item) => PORT.exec(item)?.[2]).find((one) => one !== undefined)
  return {
    where,
    option,
    get: (found) => {
      const port = itemsOf(found)
        .map((item) => PORT.exec(item)?.[2])
        .find((one) => one !== undefined)
      return port === undefined ? null : Number(port)
    },
    put: (value) => {
      if (value === null || value === '') return null
      if (former === undefined) return [`0.0.0.0:${value}`, `[::]:${value}`]
      return items.map((item) =>
        PORT.exec(item)?.[2] === former ? item.replace(PORT, (_, colon: string) => `${colon}${value}`) : item,
      )
    },
  }
}

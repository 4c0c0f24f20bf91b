/** A small table to be read, without the tools of a list. */
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './monitor.module.css'

type Props = {
  /** Without a text: above buttons, which stay in view when a narrow screen cuts the table off. */
  heads: readonly string[]
  /** Those of the heads above numbers, which stand one below the other at the end of their column, as in a list. */
  numbers?: readonly string[]
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[]
}

const noNumbers: readonly string[] = []
const sideOf = (numbers: readonly string[], head: string | undefined) =>
  head !== undefined && numbers.includes(head) ? 'end' : undefined

const pinned = (head: string | undefined) => (head === '' ? { className: classes['pinned'] ?? '' } : {})

export const RowsTable = ({ heads, numbers = noNumbers, rows }: Props) => (
  <Table.ScrollContainer minWidth={480} maxHeight={520}>
    <Table stickyHeader>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} ta={sideOf(numbers, head)} {...pinned(head)}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells }) => (
          <Table.Tr key={key}>
            {cells.map((cell, i) => (
              <Table.Td
                key={heads[i]}
                ta={sideOf(numbers, heads[i])}
                className="tabular"
                {...pinned(heads[i])}
              >
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

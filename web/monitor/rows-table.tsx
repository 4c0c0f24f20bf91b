/** A small table to be read, without the tools of a list. */
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  heads: readonly string[]
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[]
}

export const RowsTable = ({ heads, rows }: Props) => (
  <Table.ScrollContainer minWidth={480} maxHeight={520}>
    <Table stickyHeader>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells }) => (
          <Table.Tr key={key}>
            {cells.map((cell, i) => (
              <Table.Td key={heads[i]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

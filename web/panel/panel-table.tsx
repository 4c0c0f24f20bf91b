import { Table } from '@mantine/core'
import { t } from '../kit/i18n.ts'
import { When } from '../kit/time.tsx'
import { QualityChip, ValueCell } from '../monitor/variable-value.tsx'
import classes from './panel.module.css'
import { isDoubtful, Note, type WidgetProps } from './panel-reading.tsx'
import { keyOf } from './panel-values.ts'

/** Names of variables alone where all are of one terminal. */
export function PanelTable({ widget, values }: WidgetProps) {
  const { variables } = widget
  if (variables.length === 0) return <Note>{t('panel:noVariable')}</Note>
  const isOfOne = variables.every(({ terminalId }) => terminalId === variables[0]?.terminalId)
  return (
    <div className={classes['rows']}>
      <Table verticalSpacing={2} horizontalSpacing={4}>
        <Table.Tbody>
          {variables.map((variable) => {
            const row = values.of(variable)
            if (row === undefined) return null
            if (row === null)
              return (
                <Table.Tr key={keyOf(variable)}>
                  <Table.Td colSpan={3} className={classes['doubt']}>
                    {t('panel:gone')}
                  </Table.Td>
                </Table.Tr>
              )
            return (
              <Table.Tr key={keyOf(variable)}>
                <Table.Td>{isOfOne ? row.name : `${row.terminalName} · ${row.name}`}</Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <ValueCell row={row} />
                </Table.Td>
                <Table.Td ta="right" className={classes['doubt']}>
                  {isDoubtful(row) ? <QualityChip row={row} /> : <When at={row.at} />}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </div>
  )
}

import { t } from '../kit/i18n.ts'
import { When } from '../kit/time.tsx'
import { isDoubtful, ValueCell } from '../monitor/variable-value.tsx'
import classes from './panel.module.css'
import { Doubt, Note, type WidgetProps } from './panel-reading.tsx'
import { keyOf } from './panel-values.ts'

/** Names of variables alone where all are of one terminal, else the terminal's below: several meters have the same variables. A narrow one shows the age only of what is not good. */
export function PanelTable({ widget, values }: WidgetProps) {
  const { variables } = widget
  if (variables.length === 0) return <Note>{t('panel:noVariable')}</Note>
  const isOfOne = variables.every(({ terminalId }) => terminalId === variables[0]?.terminalId)
  return (
    <ul className={classes['rows']}>
      {variables.map((variable) => {
        const row = values.of(variable)
        if (row === undefined) return null
        if (row === null)
          return (
            <li key={keyOf(variable)} className={classes['doubt']}>
              {t('panel:gone')}
            </li>
          )
        return (
          <li key={keyOf(variable)}>
            <span title={isOfOne ? row.name : `${row.terminalName} · ${row.name}`}>
              {row.name}
              {isOfOne ? null : <small className={classes['of']}>{row.terminalName}</small>}
            </span>
            <ValueCell row={row} />
            <div data-good={!isDoubtful(row) || undefined}>
              {isDoubtful(row) ? <Doubt row={row} /> : <When at={row.at} />}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

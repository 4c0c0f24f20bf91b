import { Text } from '@mantine/core'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { RowCheckbox } from '../kit/light/row-parts.tsx'
import classes from './alarm.module.css'

type Props = {
  /** Empty: all rows of the page, which are not grouped. */
  title: string
  count: number
  selected: number
  /** There are more pages: the count is only that of this one. */
  partial: boolean
  onSelect: (on: boolean) => void
}

/** Above a group of alarms: selects them all. */
export function AlarmHeading({ title, count, selected, partial, onSelect }: Props) {
  const all = selected === count
  return (
    <div className={classes['heading']}>
      <RowCheckbox
        label={title ? t('alarm:selectGroup', { name: title }) : t('list:selectPage')}
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = selected > 0 && !all
        }}
        onChange={() => onSelect(!all)}
      />
      {title ? <h2>{title}</h2> : null}
      <Text span size="xs" c="dimmed">
        {partial
          ? t('alarm:onPage', { count, shown: number(count) })
          : title
            ? number(count)
            : t('list:selectPage')}
      </Text>
    </div>
  )
}

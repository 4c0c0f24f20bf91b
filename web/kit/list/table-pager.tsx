/**
 * Below a table: which rows are shown, of how many; rows per page; pages. The library's own would be a new component at
 * each drawing: it closed its open menu whenever a row changed.
 */
import { Button, Menu, Pagination, Text } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { memo } from 'react'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { LateMenu } from '../light/late-menu.tsx'
import { type ListChange, PAGE_SIZES } from './list-state.ts'
import { lastPage } from './page-number.ts'

type Props = {
  offset: number
  limit: number
  /** On this page. */
  rows: number
  total: number
  /** `total` is a lower bound. */
  more: boolean
  onChange: (change: ListChange) => void
}

export const TablePager = memo(({ offset, limit, rows, total, more, onChange }: Props) => {
  const from = (offset - 1) * limit + 1
  return (
    <>
      <Text component="div" size="sm" className="mantine-datatable-pagination-text">
        {total === 0
          ? t('list:noMatch')
          : t('list:range', { from, to: from + rows - 1, total: more ? `${total}+` : total })}
      </Text>
      <div className={`mantine-datatable-page-size-selector ${classes['side']}`}>
        <Text size="sm">{t('list:perPage')}</Text>
        <LateMenu
          button={(props) => (
            <Button
              {...props}
              variant="default"
              fw={400}
              px={8}
              aria-label={t('kit:labelled', { label: t('list:perPage'), text: String(limit) })}
              rightSection={<IconSelector size={14} stroke={1.5} />}
            >
              {limit}
            </Button>
          )}
        >
          {PAGE_SIZES.map((size) => (
            <Menu.Item key={size} fw={size === limit ? 600 : 400} onClick={() => onChange({ limit: size })}>
              {size}
            </Menu.Item>
          ))}
        </LateMenu>
      </div>
      <Pagination
        size="sm"
        classNames={{
          root: 'mantine-datatable-pagination-pages',
          control: 'mantine-datatable-pagination-pages-control',
        }}
        total={lastPage(total, limit)}
        value={offset}
        onChange={(page) => onChange({ offset: page })}
        getControlProps={(control) => ({ 'aria-label': t(`list:page.${control}`) })}
      />
    </>
  )
})

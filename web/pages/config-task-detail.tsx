export { Page, words } from './task-detail.tsx'

/** `npm run dev`: the same product; servers restart and the console reloads when a file changes. */
process.argv.push('--dev')
await import('./main.ts')

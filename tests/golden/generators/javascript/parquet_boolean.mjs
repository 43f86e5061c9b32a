// Writes golden/parquet/boolean.parquet, a column of nothing but true, with hyparquet-writer 0.16.10: pyarrow has no
// filters of booleans.
//
//   npm install hyparquet-writer@0.16.10 && node parquet_boolean.mjs FILE
import { writeFileSync } from 'fs'
import { parquetWriteBuffer } from 'hyparquet-writer'

const flag = { name: 'flag', type: 'BOOLEAN', data: [true, true, true, true], bloomFilter: { ndv: 2, fpp: 0.01 } }
writeFileSync(process.argv[2], new Uint8Array(parquetWriteBuffer({ columnData: [flag], codec: 'UNCOMPRESSED' })))

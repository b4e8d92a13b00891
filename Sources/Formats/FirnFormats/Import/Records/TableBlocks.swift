import FirnPlatform
package import FirnText
import FirnValues

/// A table that is read in blocks.
package struct TableBlocks {
    /// The reader of the first block, or of the whole table if it is not read in blocks.
    package let reader: TableReader
    /// `nil` if the table is not read in blocks.
    let first: TextBlocks.Block?
    private let format: DelimitedFormat
    /// The blocks after the first.
    var blocks: TextBlocks

    /// Reads the header.
    ///
    /// - Parameter blockByteCount: the usual size of a block in bytes.
    package init(
        _ source: any ByteSource, _ format: DelimitedFormat,
        blockByteCount: Int = TextBlocks.byteCount
    ) throws(InputError) {
        self.format = format
        blocks = TextBlocks(source, quote: format.quote, byteCount: blockByteCount)
        // In comments and skipped lines, quotes have no meaning.
        let isDivisible = format.comment == nil && format.skippedLineCount == 0
        let block: TextBlocks.Block?
        do { block = isDivisible ? try blocks.next() : nil } catch {
            throw InputError(error, name: source.name)
        }
        if let block,
            let reader = try? TableReader(
                MemorySource(block.bytes, name: source.name), format)
        {
            (self.reader, first) = (reader, block)
        } else {
            reader = try TableReader(blocks.rest(after: block.map { [$0] } ?? []), format)
            first = nil
        }
    }

    /// Returns a new reader of the whole table, as long as only the first block was read.
    func whole() throws(InputError) -> TableReader {
        try TableReader(blocks.rest(after: first.map { [$0] } ?? []), format)
    }
}

package import FirnPlatform
package import FirnText
import FirnValues

/// Reads a text with the columns of its folders added to each row or object.
///
///     id,delay        id,delay,carrier            {"id":1}    {"carrier":"UA","id":1}
///     1,7             1,7,"UA"
package final class FolderColumnSource: ByteSource {
    /// Adds the columns to a text that is seen in pieces.
    private enum Insertion {
        case table(TableColumnInsertion)
        case objects(ObjectColumnInsertion)
    }

    private static let chunkBytes = 64 << 10

    private let source: any ByteSource
    private var insertion: Insertion
    private var chunk = [UInt8](repeating: 0, count: FolderColumnSource.chunkBytes)
    private var ready: [UInt8] = []
    /// The number of ready bytes that were delivered.
    private var position = 0
    private var hasEnded = false

    /// - Parameter insertion: for the rows of a table.
    package init(_ source: any ByteSource, _ insertion: TableColumnInsertion) {
        self.source = source
        self.insertion = .table(insertion)
    }

    /// - Parameter insertion: for the objects of a JSON text.
    package init(_ source: any ByteSource, _ insertion: ObjectColumnInsertion) {
        self.source = source
        self.insertion = .objects(insertion)
    }

    package var name: String { source.name }
    /// The size; `nil`, because the size with the columns is not known.
    package var size: UInt64? { nil }
    package var hasInput: Bool { position < ready.count || source.hasInput }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        while position == ready.count, !hasEnded { try fill() }
        let count = min(buffer.count, ready.count - position)
        ready.withUnsafeBytes { ready in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: ready[position..<position + count]))
        }
        position += count
        return count
    }

    private func fill() throws(PlatformError) {
        ready.removeAll(keepingCapacity: true)
        position = 0
        let source = source
        let result = chunk.withUnsafeMutableBytes { buffer in
            Result { () throws(PlatformError) in try source.read(into: buffer) }
        }
        let count = try result.get()
        hasEnded = count == 0
        switch insertion {
        case .table(var table):
            for byte in chunk[..<count] { table.add(byte, to: &ready) }
            if hasEnded { table.finish(&ready) }
            insertion = .table(table)
        case .objects(var objects):
            for byte in chunk[..<count] { objects.add(byte, to: &ready) }
            insertion = .objects(objects)
        }
    }
}

import FirnCodec
import FirnPlatform
import FirnValues

extension RowGroupAssembler {
    /// The size of the collected values above which several threads encode the columns.
    ///
    /// Below it, starting a thread takes longer than it saves.
    private static let sharedByteCountMin = 256 << 10

    /// Returns the encoded columns of the collected rows, in the order of the schema.
    func encodedParts() throws(CodecError) -> [EncodedPart] {
        let columns = CollectedColumns(builders: builders, schema: schema, level: level)
        guard threadCount > 1, pendingByteCount >= RowGroupAssembler.sharedByteCountMin else {
            var parts: [EncodedPart] = []
            for index in builders.indices { parts += try columns.encoded(index) }
            return parts
        }
        // The largest column is first, so that it does not keep one thread busy at the end.
        let sizes = builders.map(\.byteCount)
        let order = builders.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
        let parts = try ParallelMap.map(order, threadCount: threadCount) {
            index throws(CodecError) in
            try columns.encoded(index)
        }
        return zip(order, parts).sorted { $0.0 < $1.0 }.flatMap(\.1)
    }
}

/// Columns that threads encode.
///
/// It is `Sendable` because a thread uses only the builder of its column, and the builders do not
/// change meanwhile.
private struct CollectedColumns: @unchecked Sendable {
    let builders: [PropertyBuilder]
    let schema: ClassSchema
    let level: CompressionLevel

    func encoded(_ index: Int) throws(CodecError) -> [EncodedPart] {
        try builders[index].encode(level, of: schema.properties[index].id)
    }
}

import FirnValues

extension JSONTree {
    /// Reads a text that is one JSON value; its positions count from one byte before the text.
    ///
    /// - Returns: `nil` if the text is not JSON, has several values, or exceeds a limit.
    package init?(parsing text: [UInt8], limits: JSONLimits = JSONLimits()) {
        var limits = limits
        limits.chunkBytes = min(limits.chunkBytes, text.count + 3)
        // The reader takes an array for several records, and 12 for the start of a number: in an array,
        // every value is one record.
        let record = Array("[".utf8) + text + Array("]".utf8)
        do throws(InputError) {
            var reader = try JSONReader(MemorySource(record), limits: limits)
            guard case .value(let tree, _)? = try reader.next(), try reader.next() == nil else {
                return nil
            }
            self = tree
        } catch { return nil }
    }
}

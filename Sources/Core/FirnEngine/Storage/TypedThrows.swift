import FirnCodec
import FirnPlatform

/// Returns the value of an expression that calls the operating system.
///
///     let size = try attempt(file.status().size, to: "find the size of the database")
///
/// - Parameter work: A verb phrase for the error; see ``StoreError/init(_:doing:)``.
@inline(__always)
func attempt<Value>(
    _ expression: @autoclosure () throws(PlatformError) -> Value,
    to work: @autoclosure () -> String
) throws(StoreError) -> Value {
    do throws(PlatformError) {
        return try expression()
    } catch {
        throw StoreError(error, doing: work())
    }
}

/// Returns the value of an expression; if it fails, undoes what was done for it.
///
///     try attempt(checkWritable(), onFailure: { _ in releaseWriter() })
@inline(__always)
func attempt<Value>(
    _ expression: @autoclosure () throws(StoreError) -> Value,
    onFailure undo: (StoreError) -> Void
) throws(StoreError) -> Value {
    do throws(StoreError) {
        return try expression()
    } catch {
        undo(error)
        throw error
    }
}

/// Returns the value of an expression that decodes bytes of a file.
///
///     let catalog = try decoding(Catalog(decoding: bytes), "the catalog", in: path)
///
/// - Parameters:
///   - content: The content of the bytes, for the error that they are damaged.
///   - path: The path of the file.
@inline(__always)
func decoding<Value>(
    _ expression: @autoclosure () throws(CodecError) -> Value,
    _ content: @autoclosure () -> String, in path: @autoclosure () -> String
) throws(StoreError) -> Value {
    do throws(CodecError) {
        return try expression()
    } catch {
        throw .corrupt(path(), "\(content()): \(error.reason)")
    }
}

/// Returns the value of an expression that decodes bytes; `damage` creates the error for a failure.
@inline(__always)
func decoding<Value>(
    _ expression: @autoclosure () throws(CodecError) -> Value,
    orThrow damage: (CodecError) -> StoreError
) throws(StoreError) -> Value {
    do throws(CodecError) {
        return try expression()
    } catch {
        throw damage(error)
    }
}

extension [UInt8] {
    /// Passes the bytes to a closure with a typed error, which `withUnsafeBytes` cannot rethrow.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeRawBufferPointer(bytes))
        }
    }
}

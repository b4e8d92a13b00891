package import FirnColumnar
import FirnEngine
package import FirnPlatform
package import FirnQuery
import FirnValues

/// Writes a result to Parquet or Arrow with its types: lists, maps and embedded objects are
/// preserved.
package final class ColumnarResultWriter: FailingResultWriter {
    /// The form of the file.
    package enum Form: Hashable {
        case parquet(ColumnarCodec)
        case arrowStream
        case arrowFile
    }

    package let linkStyle = LinkStyle.json
    package let keepsValues = true
    private let sink: SinkAdapter
    private let form: Form
    private let lookup: any ObjectLookup
    private let options: ValueOptions
    private let evidence: [Int: ColumnarEvidence]
    private let metadata: [(key: String, value: String)]
    /// The size at which a row group of Parquet ends; `nil` for the default.
    package var rowGroupBytes: Int?
    private var plan: ColumnarPlan?
    private var conversion: ColumnarConversion?
    private var writer: (any ColumnarWriter)?
    /// The actual failure, if an error of the system was thrown in its place.
    package private(set) var failure: CommandFailure?

    /// - Parameters:
    ///   - lookup: the objects that links lead to.
    ///   - evidence: see ``ColumnarPlan``.
    ///   - metadata: texts to add to the file.
    package init(
        _ sink: any ByteSink, _ form: Form, _ lookup: any ObjectLookup, _ options: ValueOptions,
        evidence: [Int: ColumnarEvidence], metadata: [(key: String, value: String)]
    ) {
        self.sink = SinkAdapter(sink)
        self.form = form
        self.lookup = lookup
        self.options = options
        self.evidence = evidence
        self.metadata = metadata
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        let plan = ColumnarPlan(columns, lookup.schema, evidence, depth: options.depth)
        self.plan = plan
        conversion = ColumnarConversion(lookup, options)
        do throws(ColumnarError) {
            switch form {
            case .parquet(let codec):
                var parquet = ParquetOptions()
                parquet.codec = codec
                parquet.metadata = metadata
                if let rowGroupBytes { parquet.rowGroupBytes = rowGroupBytes }
                writer = try ParquetWriter(sink, plan.fields, parquet)
            case .arrowStream:
                writer = try ArrowWriter(sink, plan.fields, .stream, metadata: metadata)
            case .arrowFile:
                writer = try ArrowWriter(sink, plan.fields, .file, metadata: metadata)
            }
        } catch { throw fail(error) }
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        guard let plan, let conversion else { return }
        var columns: [ColumnarColumn] = []
        for (index, vector) in batch.vectors.enumerated() {
            do throws(ColumnarConversionError) {
                columns.append(
                    try conversion.column(vector, plan.shapes[index], plan.fields[index].type))
            } catch {
                switch error {
                case .store(let error): throw fail(CommandFailure(error))
                case .unrepresentable(let value, let type):
                    throw fail(unrepresentable(value, type, plan.fields[index].name))
                }
            }
        }
        let converted = ColumnarBatch(rowCount: batch.rowCount, columns: columns)
        do throws(ColumnarError) { try writer?.write(converted) } catch { throw fail(error) }
    }

    package func finish() throws(PlatformError) {
        do throws(ColumnarError) { try writer?.finish() } catch { throw fail(error) }
    }

    // MARK: Errors

    private func fail(_ failure: CommandFailure) -> PlatformError {
        self.failure = failure
        return PlatformError(.other, operation: "write", path: "")
    }

    private func fail(_ error: ColumnarError) -> PlatformError {
        if case .system(let error) = error.code { return error }
        var diagnostic = Diagnostic(.queryType, error.text)
        diagnostic.remedy = error.remedy
        return fail(.diagnostic(diagnostic))
    }

    private func unrepresentable(
        _ value: String, _ type: String, _ column: String
    ) -> CommandFailure {
        var diagnostic = Diagnostic(
            .queryType,
            "column \(SafeText.escaping(column)): \(SafeText.excerpt(of: value.utf8)) cannot be "
                + "written as \(type)")
        diagnostic.remedy = "leave the column out, or select it as a text: text(...)"
        return .diagnostic(diagnostic)
    }
}

/// Passes the bytes of a table to an output.
private final class SinkAdapter: ColumnarSink {
    private let sink: any ByteSink

    init(_ sink: any ByteSink) { self.sink = sink }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) { try sink.write(bytes) }
}

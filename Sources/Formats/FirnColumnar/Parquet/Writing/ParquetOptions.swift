/// The form of a Parquet file.
package struct ParquetOptions: Sendable {
    package var codec = ColumnarCodec.zstd
    /// The level of zstd or gzip; `nil` for the default.
    package var level: Int?
    /// The rows of a row group, which a reader loads and skips as a whole.
    package var rowGroupRows = 1 << 20
    /// The size at which a row group ends early.
    package var rowGroupBytes = 128 << 20
    /// The plain size of a page.
    package var pageBytes = 1 << 20
    /// Texts for readers, such as the schema of the database.
    package var metadata: [(key: String, value: String)] = []

    package init() {}
}

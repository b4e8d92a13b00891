/// The limits of the format.
///
/// Every length that is read is checked against one of them before memory is allocated.
package enum CodecLimits {
    /// The maximum number of rows in a page.
    ///
    /// Pages of collection elements have more rows than others.
    package static let rowsPerPageMax = 4_194_304
    /// The size of a block before compression, in bytes; also the window of LZ4.
    package static let blockRawBytes = 65_536
    /// The maximum size in bytes of a page before compression, and of the strings that it
    /// represents.
    package static let pageRawBytesMax = 256 << 20
    /// The minimum size of a block that is compressed.
    package static let compressionBytesMin = 512
    /// The maximum number of bytes that LZ4 expands one byte to.
    static let expansionMax = 255
    /// The number of bytes by which a short block may exceed `expansionMax`.
    static let expansionSlackBytes = 64
    /// The maximum size of a value in a column of Any, in bytes.
    package static let taggedBytesMax = 16 << 20
    /// The length to which strings and data in a zone map are truncated, in bytes.
    static let zoneStringBytesMax = 32
    /// The maximum size in bytes of the constant in the header of a page.
    static let constantStringBytesMax = 1_024
    /// The maximum number of distinct strings in a dictionary, which is below `smallCodesMax`.
    static let dictionaryEntriesMax = 32_768
    /// The limit below which codes are counted in a table.
    static let smallCodesMax = 65_536
    /// The number of readable bytes after a body, so that loads of 8 bytes need no check at its
    /// end.
    static let readSlackBytes = 16
}

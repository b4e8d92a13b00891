/// The bounds of the format.
///
/// Every length that comes from outside is held against one of these before memory is taken for
/// it.
package enum CodecLimits {
    /// Rows of one page: of elements of collections there are many more than of objects.
    package static let rowsPerPageMax = 4_194_304
    /// Bytes of a block before compression; also the window of LZ4.
    package static let blockRawBytes = 65_536
    /// Bytes of a page before compression, and of the strings that it stands for.
    package static let pageRawBytesMax = 256 << 20
    /// Blocks shorter than this are not worth the attempt.
    package static let compressionBytesMin = 512
    /// LZ4 turns one byte into at most so many.
    static let expansionMax = 255
    /// What a short block may have beyond `expansionMax`.
    static let expansionSlackBytes = 64
    /// Bytes of one value of a column of Any.
    package static let taggedBytesMax = 16 << 20
    /// Strings and data in a zone map are cut to this.
    static let zoneStringBytesMax = 32
    /// Strings and other bytes up to this may stand in a page's head as its constant.
    static let constantStringBytesMax = 1_024
    /// More distinct strings than this are stored as they are; few enough for `smallCodesMax`.
    static let dictionaryEntriesMax = 32_768
    /// Codes below this are counted in a table.
    static let smallCodesMax = 65_536
    /// Bytes that may be read behind a body, so that loads of 8 bytes need no care at its end.
    static let readSlackBytes = 16
}

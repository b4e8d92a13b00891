/// The formats of databases that this build knows.
///
/// Format 2 stores the freezes beside the history. Format 1 stores them in the catalog, of which
/// every kept root has a copy.
package enum FileFormat {
    /// The formats that can be read; a file of a newer format is rejected.
    package static let readable: ClosedRange<UInt32> = 1...written
    /// The format of the databases that this build makes.
    ///
    /// The first commit to a database of an older format raises its format.
    package static let written: UInt32 = 2
    /// The format whose catalogs list the freezes.
    static let withFreezesInCatalog: UInt32 = 1
}

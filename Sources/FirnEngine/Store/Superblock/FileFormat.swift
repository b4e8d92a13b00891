/// The formats of databases that this build knows, for those who ask which files it can open.
package enum FileFormat {
    /// A file of an older or newer format is refused, never converted behind somebody's back.
    package static let readable = Superblock.currentFormat...Superblock.currentFormat
    /// The format of the databases that this build makes and changes.
    package static let written = Superblock.currentFormat
}

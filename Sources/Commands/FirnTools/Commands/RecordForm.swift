import FirnFormats
import FirnValues

/// The conversion of input records to objects that a command line asks for, as plain values.
package struct RecordForm: Hashable, Sendable {
    var types: [DeclaredType] = []
    var links: [LinkRequest] = []
    var maps: [FieldMapping] = []
    /// A text that means null in tables, in addition to the empty field.
    var nullText: String?
    /// Whether a column has a type other than text only if an export prints it as it was.
    var isExact = false
    /// The form of tables, as far as the command line gives it.
    var dialect = TableDialect()
    var onError = OnError.abort

    package init() {}

    /// The properties of the fields.
    var names: FieldNames {
        var names = FieldNames()
        for map in maps { names.properties[map.field] = map.property }
        return names
    }
}

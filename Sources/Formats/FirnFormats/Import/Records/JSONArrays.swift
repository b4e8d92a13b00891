import FirnText
import FirnValues

/// The meaning of a JSON input that is one object of arrays of objects:
/// `{"people":[{...}],"dogs":[{...}]}`.
package struct JSONArrays {
    /// The class of the only array; `nil` if each array has the objects of its own class.
    var className: String?
    /// Returns the class for the name of an array.
    var classOfArray: (String) -> String
    /// Returns whether the object with these members is one record.
    package var isRecord: ([String]) -> Bool

    /// Returns the class of the objects of an array; `nil` for the class of records that do not
    /// name one.
    ///
    /// - Parameter names: the arrays of the input.
    func className(
        of name: String, among names: [String], _ input: String
    ) throws(InputError) -> String? {
        guard className != nil else { return classOfArray(name) }
        guard names == [name] else {
            let all = (names.contains(name) ? names : names + [name])
                .map { SafeText.escaping($0) }.joined(separator: ", ")
            throw InputError(
                .syntax, "it has the objects of several classes, in the arrays \(all)", name: input,
                remedy: "without a class for the input, each array becomes a class")
        }
        return nil
    }
}

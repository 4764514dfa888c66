# SPDX-License-Identifier: MIT
# Evaluates a Homebrew formula or a podspec with as much of Homebrew's and CocoaPods' words as they use:
#   recipes.rb formula FILE SYSTEM CELLAR   installs from the current folder into CELLAR and runs the formula's test
#   recipes.rb pod FILE
require "fileutils"
require "json"
require "pathname"
require "tmpdir"

# A folder that files are installed into.
class Folder < Pathname
  def install(*sources)
    mkpath
    sources.flatten.each { |source| FileUtils.cp_r(source, self) }
  end
end

class Formula
  @stated = {}

  class << self
    attr_reader :stated, :check

    def inherited(kind) = kind.instance_variable_set(:@stated, {})

    %i[desc homepage version license url sha256].each do |word|
      define_method(word) { |value = nil| value ? stated[word] = value : stated[word] }
    end

    { on_macos: "macos", on_linux: "linux", on_intel: "x86_64", on_arm: "aarch64" }.each do |name, word|
      define_method(name) { |&block| block.call if ARGV[2].include?(word) }
    end

    def test(&block) = @check = block
  end

  %i[bin man1 bash_completion zsh_completion fish_completion doc].each do |name|
    define_method(name) { Folder.new(ARGV[3]) / name.to_s }
  end

  def version = self.class.version
  def testpath = Pathname.pwd
  def shell_output(words) = `#{words}`

  def assert_equal(wanted, found)
    raise "wanted #{wanted}, found #{found}" unless wanted == found
  end

  def system(*words)
    raise "#{words} failed" unless Kernel.system(*words.map(&:to_s), out: File::NULL)
  end
end

class Folder
  def /(other) = Folder.new(File.join(to_s, other))
end

module Pod
  # What a specification says, by the words that it says it with.
  class Spec
    def initialize(prefix = "", said = {})
      @prefix = prefix
      @said = said
      yield self if block_given?
      puts JSON.generate(@said) if prefix.empty? && block_given?
    end

    def method_missing(name, *values)
      word = name.to_s
      return Spec.new("#{@prefix}#{word}.", @said) unless word.end_with?("=")

      @said[@prefix + word.delete_suffix("=")] = values.first
    end

    def respond_to_missing?(*) = true
  end
end

if ARGV[0] == "pod"
  load File.expand_path(ARGV[1])
else
  load File.expand_path(ARGV[1])
  formula = Adal2msal.new
  formula.install
  Dir.mktmpdir { |folder| Dir.chdir(folder) { formula.instance_eval(&Adal2msal.check) } }
  puts JSON.generate(Adal2msal.stated.except(:desc))
end
